export const calls: readonly { readonly method: string; readonly about: string }[]
