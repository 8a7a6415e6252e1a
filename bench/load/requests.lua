-- wrk's script: sends the requests of a file, each thread its own part of them in turn, and counts the answers.
-- Arguments: the file (load/request.ts writes it), a name for this run, the number of threads, and `count` where answers
-- are to be told apart by status. wrk parses every header of an answer for that, so it is only done where it matters;
-- elsewhere its own count of statuses above 399 says how many were refused.

local threads = {}

function setup(thread)
  thread:set("number", #threads)
  table.insert(threads, thread)
end

function init(args)
  local file, thread_count = args[1], tonumber(args[3])
  run = args[2] .. "-" .. number .. "-"
  before, after, fresh, total, turn = {}, {}, {}, 0, 0
  local line_number = 0
  for line in io.lines(file) do
    if line_number % thread_count == number then
      local kind, head, tail = line:match("^(%a+)\t([^\t]*)\t([^\t]*)$")
      total = total + 1
      fresh[total] = kind == "fresh"
      before[total] = head:gsub("\\r\\n", "\r\n")
      after[total] = tail:gsub("\\r\\n", "\r\n")
    end
    line_number = line_number + 1
  end
  placed, replayed, conflicts, others = 0, 0, 0, 0
  if args[4] == "count" then
    response = function(status)
      if status == 201 then placed = placed + 1
      elseif status == 200 then replayed = replayed + 1
      elseif status == 409 then conflicts = conflicts + 1
      else others = others + 1 end
    end
  end
end

function request()
  turn = turn + 1
  local index = (turn - 1) % total + 1
  if fresh[index] then return before[index] .. run .. turn .. after[index] end
  return before[index]
end

function done(summary, latency)
  local sum = { placed = 0, replayed = 0, conflicts = 0, others = 0 }
  for _, thread in ipairs(threads) do
    for name in pairs(sum) do sum[name] = sum[name] + thread:get(name) end
  end
  local errors = summary.errors
  io.write(string.format(
    'RESULT {"requests":%d,"microseconds":%d,"placed":%d,"replayed":%d,"conflicts":%d,"others":%d,"refused":%d,'
      .. '"broken":%d,"p50":%d,"p99":%d}\n',
    summary.requests, summary.duration, sum.placed, sum.replayed, sum.conflicts, sum.others, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout, latency:percentile(50), latency:percentile(99)))
end
