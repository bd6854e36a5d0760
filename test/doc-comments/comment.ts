/** A doc comment with a star before each line. */
export function starred(...lines: string[]): string {
  return ['/**', ...lines.map((line) => (line === '' ? ' *' : ` * ${line}`)), ' */'].join('\n')
}
