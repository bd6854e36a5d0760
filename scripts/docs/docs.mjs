// npm run docs: builds the site of docs/ into docs/.vitepress/dist. With `dev`, serves it and rebuilds on changes.
import { installWhenMissing } from '../build/install.mjs'
import { run } from '../run.mjs'

const [command = 'build'] = process.argv.slice(2)
installWhenMissing('docs')
run('docs/node_modules/vitepress/bin/vitepress.js', command, 'docs')
