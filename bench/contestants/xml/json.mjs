// The base: what the same call costs as JSON, with nothing checked.
import { start as startJson } from '../calls/json-stringify.mjs'

export const start = async (project) => ({ format: 'json', ...(await startJson(project)) })
