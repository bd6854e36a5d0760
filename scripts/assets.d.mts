/** Where the assets lie. */
export const assetsPath: string
/** The module as it has to be. */
export function renderAssets(): Promise<string>
