import { pythonKeywords } from '../../generator/text.js'

/** The built-in names that annotations and bodies of the generated module refer to, and those of all classes of errors. */
export const builtinNames: readonly string[] = (
  'bool bytes bytearray callable cast classmethod dict enumerate float frozenset getattr int isinstance len list max min memoryview ' +
  'object print property range repr set staticmethod str super tuple type zip ' +
  'ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError BrokenPipeError BufferError ' +
  'BytesWarning ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError ConnectionResetError ' +
  'DeprecationWarning EOFError Ellipsis EncodingWarning EnvironmentError Exception ExceptionGroup FileExistsError ' +
  'FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError ImportError ImportWarning IndentationError ' +
  'IndexError InterruptedError IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError ModuleNotFoundError ' +
  'NameError NotADirectoryError NotImplemented NotImplementedError OSError OverflowError PendingDeprecationWarning ' +
  'PermissionError ProcessLookupError PythonFinalizationError RecursionError ReferenceError ResourceWarning RuntimeError ' +
  'RuntimeWarning StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError SystemExit TabError TimeoutError ' +
  'TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError UnicodeWarning ' +
  'UserWarning ValueError Warning ZeroDivisionError'
).split(' ')

/** Letters of the scripts that all supported versions of Python have in identifiers; other characters become underscores. */
const otherCharacters =
  /[^A-Za-z0-9_\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0391-\u03a1\u03a3-\u03ff\u0400-\u0481\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fa5\uac00-\ud7a3]/gu

/**
 * Returns a Python identifier for any text. A word that Python reserves ends with an underscore. Names do not begin with one, because
 * those are the private names of the module.
 */
function identifier(text: string): string {
  const plain = text.normalize('NFKC').replace(otherCharacters, '_')
  const bare = plain.replace(/^_+/, '')
  if (bare === '') return 'x_'
  const name = /^\d/.test(bare) ? `x${bare}` : bare
  const isChanged = bare !== plain || pythonKeywords.has(name) || name === 'self'
  return isChanged && !name.endsWith('_') ? `${name}_` : name
}

/** Unique names of one namespace. */
export interface PythonScope {
  /** Returns the identifier for a text, with further underscores if it is not free. */
  claim(text: string): string
}

/** `taken`: names that are not available. */
export function createPythonScope(taken: Iterable<string>): PythonScope {
  const used = new Set(taken)
  return {
    claim(text) {
      let name = identifier(text)
      while (used.has(name)) name += '_'
      used.add(name)
      return name
    },
  }
}

/** Returns names for texts, in their order: those that are unchanged first, so that another one does not take their name. */
export function namesFor(texts: readonly string[], taken: Iterable<string>): string[] {
  const scope = createPythonScope(taken)
  const isUnchanged = (text: string) => identifier(text) === text
  const first = texts.map((text) => (isUnchanged(text) ? scope.claim(text) : undefined))
  return texts.map((text, i) => first[i] ?? scope.claim(text))
}
