import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { skipped } from '../support/skip.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { generatedClient } from './clients.js'
import { missingPython, python } from './python.js'

// The credentials of callers as arguments of the client: those of the schemes that `defineAuth` declares.

const program = `
import inspect, json
from auth_schemes_client import Client

sent = []

def transport(url, headers, body, timeout):
    found = {name.lower(): value for name, value in headers.items()}
    sent.append([found.get("authorization"), found.get("x-api-key")])
    return 200, {}, b'{"jsonrpc":"2.0","result":null,"id":1}'

def call(**options):
    Client("http://127.0.0.1/", transport=transport, **options).either()

call()
call(bearer="token")
tokens = iter(["first", "second"])
client = Client("http://127.0.0.1/", transport=transport, bearer=lambda: next(tokens))
client.either()
client.either()
call(basic=("ada", "ä:b"))
call(x_api_key="key", headers={"X-Trace": "1"})
call(x_api_key="key", headers={"x-api-key": "other"})
failed = []
for wrong in [
    {"bearer": "a", "x_api_key": "b"},
    {"bearer": "a", "x_api_key": None},
    {"bearer": None},
    {"bearer": ""},
    {"bearer": lambda: None},
    {"x_api_key": None},
    {"x_api_key": ""},
    {"x_api_key": lambda: ""},
    {"basic": None},
    {"basic": ("ada", None)},
    {"basic": ("", "")},
    {"bearer": "hunter\\n"},
    {"bearer": lambda: "hunter\\r\\nX-Api-Key: key"},
    {"x_api_key": "hunter\\0"},
    {"session": "c"},
]:
    before = len(sent)
    try:
        call(**wrong)
    except (TypeError, ValueError) as error:
        failed.append(type(error).__name__ if len(sent) == before and "hunter" not in str(error) else "sent")
print(json.dumps([sent, failed, inspect.getdoc(Client.__init__)]))
`

test.skipIf(skipped('credentials of clients in Python', missingPython))(
  'a client in Python sends the credentials of one of its schemes',
  async () => {
    const folder = temporaryFolder('python-auth')
    await generatedClient('auth-schemes', folder)
    const environment = { PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' }
    const [sent, failed, docs] = JSON.parse(await python(['-c', program], '', environment, join(folder)))
    expect(sent).toEqual([
      [null, null],
      ['Bearer token', null],
      ['Bearer first', null],
      ['Bearer second', null],
      ['Basic YWRhOsOkOmI=', null],
      [null, 'key'],
      [null, 'other'],
    ])
    expect(failed).toEqual([...Array(14).fill('ValueError'), 'TypeError'])
    expect(docs.split('\n')).toEqual([
      'Pass the credentials of one scheme, or none.',
      '',
      "'bearer' is the token of isUser (A token of your profile page.)",
      "'x_api_key' is the key of robots",
      "'basic' is the name and password of isStaff",
    ])
  },
)

test('a client without schemes has the constructor of every client', async () => {
  const folder = temporaryFolder('python-auth')

  const text = readFileSync(await generatedClient('auth-rules', folder), 'utf8')
  expect(text).not.toContain('Secret')
  expect(text.match(/def __init__\(\n {8}self,\n {8}url: str,/g)).toHaveLength(1)
})
