import { ts } from 'ts-morph'

/** `NoInfer<T>` is T: it only says where type arguments are not looked for. */
export function inferable(type: ts.Type): ts.Type {
  if (type.flags & ts.TypeFlags.Substitution) return inferable((type as ts.SubstitutionType).baseType)
  return type
}

/** The branches of a union, those that stand in `NoInfer` too; of any other type itself. */
export function inferableBranches(types: readonly ts.Type[]): ts.Type[] {
  return types.flatMap((each) => {
    const type = inferable(each)
    return type !== each && type.isUnion() ? inferableBranches(type.types) : [type]
  })
}
