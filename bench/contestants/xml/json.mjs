// The base: the same call as JSON, without checks.
import { start as startJson } from '../calls/json-stringify.mjs'

export const start = async (project) => ({ format: 'json', ...(await startJson(project)) })
