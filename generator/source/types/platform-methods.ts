import { ts } from 'ts-morph'
import type { ModelType } from '../../model/model.js'
import type { Place } from '../problems.js'
import { isPlatformSource } from '../project/sources.js'
import type { Resolver } from '../resolver.js'

/** The class of the platform that a member is a method of: what a mapped type over a number or over bytes is made of. */
export function platformMethodOf({ declarations }: ts.Symbol, { project }: Resolver): string | undefined {
  const [declaration] = declarations ?? []
  if (!declaration || !(ts.isMethodSignature(declaration) || ts.isMethodDeclaration(declaration))) return undefined
  const { parent } = declaration
  if (!ts.isInterfaceDeclaration(parent) && !ts.isClassDeclaration(parent)) return undefined
  return isPlatformSource(parent.getSourceFile(), project.program) ? parent.name?.text : undefined
}

export function refusePlatform(name: string, type: ts.Type, place: Place, { refuse }: Resolver): ModelType {
  const hint = type.isIntersection()
    ? `nothing can be added to ${name} on its way: write it alone`
    : `a type that maps over members was given ${name}: keep that one as it is, before anything else: ${keptFirst(name)}`
  return refuse(place, 'RPC121', `an object with the methods of ${name} cannot travel`, hint)
}

/** To a conditional type an Int is an object too: it is a number with a tag. */
function keptFirst(name: string): string {
  return `T extends ${/^(Number|String|Boolean|BigInt)$/.test(name) ? 'number | string | boolean' : name} ? T : …`
}
