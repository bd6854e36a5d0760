import type { DescribedError } from './description.js'

/** What is said of an error, without the code that it may begin with; its name where nothing is said. */
export function errorText({ name, code, text }: DescribedError): string {
  const said = text.startsWith(`${code}`) ? text.slice(`${code}`.length).replace(/^[\s.,:;]+/, '') : text
  return said === '' ? name : said
}
