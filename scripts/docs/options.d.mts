/** Returns every page that has tables of options, with up-to-date tables. */
export function renderPages(): Promise<{ readonly path: string; readonly text: string }[]>
