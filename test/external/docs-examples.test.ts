import { describe } from 'vitest'
import { added, describeExamples, externalPages, packages } from '../documentation/examples/checks.js'
import { install } from '../support/install.js'
import { skipped } from '../support/skip.js'

const notInstalled = await install(packages)

describe.skipIf(skipped('examples with packages', notInstalled))('with packages', () => {
  describeExamples(externalPages, added)
})
