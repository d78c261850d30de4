-- What wrk sends, and what it reports. Arguments: the method, the body (empty for none; {n} in it
-- counts up, so that no two are alike), then headers as "Name: value".
local count = 0

function init(arguments)
  wrk.method = arguments[1]
  local body = arguments[2]
  for index = 3, #arguments do
    local name, value = arguments[index]:match("^(.-): (.*)$")
    wrk.headers[name] = value
  end
  -- Without this function wrk sends the same bytes each time, at no cost of its own.
  if body ~= "" then
    request = function()
      count = count + 1
      return wrk.format(nil, nil, nil, (body:gsub("{n}", count)))
    end
  end
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"seconds":%f,"bytes":%d,"refused":%d,"broken":%d,"p50":%f,"p99":%f}\n',
    summary.requests, summary.duration / 1e6, summary.bytes, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3))
end
