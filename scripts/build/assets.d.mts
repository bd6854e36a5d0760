/** The path of the assets. */
export const assetsPath: string
/** Returns the expected text of the module. */
export function renderAssets(): Promise<string>
