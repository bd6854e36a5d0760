-- Calls servers with Lua's xmlrpc. Usage: lua5.1 integers.lua URL METHOD ARGUMENT ..., each ARGUMENT `none`, `integer` or `text`. Prints
-- the type and the text of each result, or the error, as JSON.
local rpc = require 'xmlrpc.http'

local arguments = { none = {}, integer = { 4006381333931 }, text = { '4006381333931' } }

local outcomes = {}
for i = 1, #arg, 3 do
  local returned, isDone, result = pcall(rpc.call, arg[i], arg[i + 1], unpack(arguments[arg[i + 2]]))
  local kind = 'error'
  if not returned then
    result = isDone:gsub('^.*: ', '')
  elseif isDone then
    kind = type(result)
    if kind == 'number' then result = string.format('%.0f', result) end
  end
  outcomes[#outcomes + 1] = string.format('[%q,%q]', kind, result)
end
print('[' .. table.concat(outcomes, ',') .. ']')
