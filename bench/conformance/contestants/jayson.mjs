// jayson with promises, as in its README, and its HTTP server.
import jayson from 'jayson/promise/index.js'

const notes = []
const one = (args) => (Array.isArray(args) ? args[0] : args.value)

const server = new jayson.Server({
  subtract: async (args) => (Array.isArray(args) ? args[0] - args[1] : args.minuend - args.subtrahend),
  sum: async (args) => args.reduce((total, each) => total + each, 0),
  async update() {},
  get_data: async () => ['hello', 5],
  async notify_hello() {},
  async notify_sum() {},
  'echo.any': async (args) => one(args),
  later: (args) => new Promise((resolve) => setTimeout(() => resolve(one(args)), 20)),
  async fail([code, message, data]) {
    throw server.error(code, message, data)
  },
  async crash() {
    throw new Error('the password is hunter2')
  },
  note: async (args) => void notes.push(one(args)),
  notes: async () => notes,
})

const http = server.http()
http.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${http.address().port} is ready`))
