// Loaded code: bundles and the time of importing them, and the cost of the generated module.
import { measureBundles } from '../size/bundles.mjs'
import { measureGenerated } from '../size/generated.mjs'

export const title = 'Size and import'

export async function run(options) {
  const bundles = await measureBundles(options)
  const generated = measureGenerated(options)
  return {
    text: `${bundles.text}\n\n${generated.text}`,
    figures: { bundles: bundles.figures, generated: generated.figures },
  }
}
