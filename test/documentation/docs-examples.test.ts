import { describeExamples, ownPages } from '../docs-examples/checks.js'

describeExamples(ownPages)
