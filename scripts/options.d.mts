/** The page with the tables. */
export const optionsPage: string
/** Returns the page with the tables as the docstrings are now. */
export function renderOptions(): string
