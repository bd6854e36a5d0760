/** A module in Python, as text. */
declare module '*.py' {
  const text: string
  export default text
}
