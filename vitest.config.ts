import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  resolve: {
    alias: [
      { find: /^rpc-gen$/, replacement: at('./runtime/index.ts') },
      { find: /^rpc-gen\/codegen\/v1$/, replacement: at('./runtime/codegen.ts') },
      { find: /^rpc-gen\/client$/, replacement: at('./runtime/client/index.ts') },
      { find: /^rpc-gen\/websocket$/, replacement: at('./runtime/websocket/index.ts') },
      { find: /^rpc-gen\/client\/websocket$/, replacement: at('./runtime/client/websocket.ts') },
      { find: /^rpc-gen\/client\/nats$/, replacement: at('./runtime/client/nats.ts') },
      { find: /^rpc-gen\/mcp$/, replacement: at('./runtime/mcp/index.ts') },
      { find: /^rpc-gen\/nats$/, replacement: at('./runtime/nats/index.ts') },
      { find: /^rpc-gen\/node$/, replacement: at('./runtime/node.ts') },
      { find: /^rpc-gen\/opentelemetry$/, replacement: at('./runtime/opentelemetry.ts') },
      { find: /^rpc-gen\/standard-schema$/, replacement: at('./runtime/schema/standard.ts') },
      { find: /^rpc-gen\/generator$/, replacement: at('./generator/index.ts') },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: './test/support/global-setup.ts',
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
})
