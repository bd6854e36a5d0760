import type { DescribedError } from './description.js'

/** What is said of an error, without the code that it may begin with; its name where nothing is said. */
export function errorText({ name, code, text }: DescribedError): string {
  const begins = code !== undefined && text.startsWith(`${code}`)
  const said = begins ? text.slice(`${code}`.length).replace(/^[\s.,:;]+/, '') : text
  return said === '' ? name : said
}
