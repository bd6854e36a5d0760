/** Returns every page that has tables of options, with the tables as the code is now. */
export function renderPages(): Promise<{ readonly path: string; readonly text: string }[]>
