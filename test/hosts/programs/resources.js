// In place of a NATS service, a database and telemetry: says when each of them is closed.
const closing = (name) => async () => console.log(name)

export const service = { stop: closing('service.stop') }
export const connection = { close: closing('connection.close') }
export const pool = { end: closing('pool.end') }
export const telemetry = { shutdown: closing('telemetry.shutdown') }
