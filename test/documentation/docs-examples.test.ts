import { describeExamples, ownPages } from './examples/checks.js'

describeExamples(ownPages)
