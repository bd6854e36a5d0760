/** Makes every call in both protocols and prints request and answer. Returns how many answers were wrong. */
export function callAll(url: string): Promise<number>
