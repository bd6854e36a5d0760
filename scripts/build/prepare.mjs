// npm runs this after `npm ci` in a clone, and before it packs or links the package of a git URL or a folder. Builds dist/ if
// it is missing or older than the sources.
import { buildWhenStale } from './fresh.mjs'
import { installWhenMissing, isInstalled } from './install.mjs'

const isOwnInstall = process.env.npm_config_local_prefix === process.cwd()
if (isOwnInstall && !isInstalled()) {
  console.log('dist/ is not built: the development dependencies are not installed')
} else {
  installWhenMissing()
  buildWhenStale()
}
