-- Calls a procedure without a result with Lua's xmlrpc. Usage: lua5.1 void.lua URL. Prints what came, as JSON.
local rpc = require 'xmlrpc.http'

local returned, isCalled, result = pcall(rpc.call, arg[1], 'note', 'lua')
if not returned then
  print(string.format('{"error":%q}', (tostring(isCalled):gsub('^.*: ', ''))))
elseif type(result) == 'string' then
  print(string.format('{"result":%q}', result))
else
  print(string.format('{"result":%s}', tostring(result)))
end
