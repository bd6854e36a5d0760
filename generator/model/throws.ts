import type { ModelType, ThrowsModel } from './model.js'

/** An error whose data type has been replaced. */
export function withData(error: ThrowsModel, replace: (type: ModelType) => ModelType): ThrowsModel {
  return error.data ? { ...error, data: replace(error.data) } : error
}
