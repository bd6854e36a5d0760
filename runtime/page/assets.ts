import { script, scriptHash, style, styleHash } from './assets.gen.js'

/** The names of the assets; another text has another name. */
export const scriptAsset = `script-${scriptHash}.js`
export const styleAsset = `style-${styleHash}.css`

/** By their names. */
export const assets: ReadonlyMap<string, { readonly type: string; readonly text: string }> = new Map([
  [scriptAsset, { type: 'text/javascript; charset=utf-8', text: script }],
  [styleAsset, { type: 'text/css; charset=utf-8', text: style }],
])
