-- wrk -t N -c N -d Ns -s wrk.lua URL -- BODY HEADERS SESSIONS
-- BODY holds a request with the id 1, HEADERS `Name: value` lines, SESSIONS one session a line (may
-- be empty). One thread is one connection and one session; no id is sent twice in it.
local count = 0
function setup(thread)
  thread:set("number", count)
  count = count + 1
end

function init(args)
  local body = io.open(args[1]):read("*a")
  before, after = body:match('^(.-"id":)1(.*)$')
  headers = {}
  for line in io.lines(args[2]) do
    local name, value = line:match("^(.-): (.*)$")
    headers[name] = value
  end
  local line_number = 0
  for line in io.lines(args[3]) do
    if line_number == number then headers["Mcp-Session-Id"] = line end
    line_number = line_number + 1
  end
  id = (os.time() % 100000) * 100000
end

function request()
  id = id + 1
  return wrk.format("POST", nil, headers, before .. string.format("%d", id) .. after)
end

function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format("RESULT %d %f %d\n", summary.requests, latency:percentile(99) / 1000, failed))
end
