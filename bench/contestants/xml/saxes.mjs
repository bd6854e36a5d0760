// saxes, straight to values with a stack, and the plain serialiser.
import { readXml } from '../../work/read-xml.mjs'
import { writeResponse } from '../write-xml.mjs'

export async function start(project) {
  const functions = await project.user('procedures.js')
  const respond = (text) => {
    const { method, params } = readXml(text)
    return writeResponse(functions[method](...params))
  }
  return { format: 'xml', respond }
}
