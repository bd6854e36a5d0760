/** Makes every call in both protocols and prints request and response. Returns the number of wrong responses. */
export function callAll(url: string): Promise<number>
