-- What wrk sends, and what it reports. Arguments: the method, the path, the body (empty for none),
-- then headers as "Name: value". {n} in path and body counts up, so that no two are alike.
local count = 0

function init(arguments)
  local path, body = arguments[2], arguments[3]
  wrk.method = arguments[1]
  wrk.path = path
  for index = 4, #arguments do
    local name, value = arguments[index]:match("^(.-): (.*)$")
    wrk.headers[name] = value
  end
  -- Without this function wrk sends the same bytes each time, at no cost of its own.
  if (path .. body):find("{n}", 1, true) then
    request = function()
      count = count + 1
      local one = body ~= "" and body:gsub("{n}", count) or nil
      return wrk.format(nil, (path:gsub("{n}", count)), nil, one)
    end
  end
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"seconds":%f,"refused":%d,"broken":%d,"p99":%f}\n',
    summary.requests, summary.duration / 1e6, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(99) / 1e3))
end
