-- Changes of known kind, by variables of the environment: what `benchfolio calibrate` tries a duet with. Without any of them
-- nginx is as it is. Locks, pools and counts are those of a worker.
local semaphore = require "ngx.semaphore"

local function number(name) return tonumber(os.getenv(name) or "0") end

-- => a function that is true at each nth call; never where `every` is 0
local function nth(every)
  local calls = 0
  return function()
    calls = calls + 1
    return every > 0 and calls % every == 0
  end
end

local kept = 0 -- so that work is not optimized away
local leaked = {}
local changes = {}
local function add(change) changes[#changes + 1] = change end

local loops = number("ADDED_LOOPS")
if loops > 0 then
  add(function()
    for i = 1, loops do kept = (kept * 31 + i) % 2147483648 end
  end)
end

local allocations = number("ALLOCATIONS")
if allocations > 0 then
  add(function()
    local objects = {}
    for id = 1, allocations do objects[id] = { id = id, name = "object " .. id } end
    kept = kept + #objects
  end)
end

local leak = number("LEAK_BYTES")
if leak > 0 then
  add(function()
    -- Each is another string: Lua keeps equal ones once.
    leaked[#leaked + 1] = #leaked .. string.rep("x", leak)
  end)
end

local reads = number("FILE_READS")
if reads > 0 then
  local page = ngx.config.prefix() .. "pages/100kB"
  add(function()
    for _ = 1, reads do
      local file = assert(io.open(page, "rb"))
      kept = kept + #file:read("*a")
      file:close()
    end
  end)
end

-- Lets so many in at the same time; who waits for longer than this is let in too.
local longest_s = 10

-- A query that takes a connection of a pool for so long, as of a database.
local query_s = number("QUERY_MS") / 1000
if query_s > 0 then
  local pool = semaphore.new(number("POOL"))
  add(function()
    pool:wait(longest_s)
    ngx.sleep(query_s)
    pool:post()
  end)
end

-- All requests pass a lock; each nth holds it for so long, as to write something down.
local lock_every = number("LOCK_EVERY")
if lock_every > 0 then
  local holds, lock, hold_s = nth(lock_every), semaphore.new(1), number("LOCK_MS") / 1000
  add(function()
    lock:wait(longest_s)
    if holds() then ngx.sleep(hold_s) end
    lock:post()
  end)
end

local slow_every = number("SLOW_EVERY")
if slow_every > 0 then
  local is_slow, slow_s = nth(slow_every), number("SLOW_MS") / 1000
  add(function()
    if is_slow() then ngx.sleep(slow_s) end
  end)
end

-- After so many seconds each request waits: a cache that is full, a table that has grown.
local slow_after_s = number("SLOW_AFTER_S")
if slow_after_s > 0 then
  ngx.update_time() -- that of the worker's start
  local start_s, slowed_s = ngx.now(), number("SLOWED_MS") / 1000
  add(function()
    if ngx.now() - start_s > slow_after_s then ngx.sleep(slowed_s) end
  end)
end

local error_every = number("ERROR_EVERY")
if error_every > 0 then
  local fails = nth(error_every)
  add(function()
    if fails() then ngx.exit(500) end
  end)
end

-- Answers with this text in place of the page.
local function answer(text)
  ngx.header.content_length = #text
  ngx.print(text)
  ngx.exit(200)
end

local reply_bytes = number("REPLY_BYTES")
if reply_bytes > 0 then
  local text = string.rep("x", 500 + reply_bytes)
  add(function() answer(text) end)
end

-- An object that has these fields, in as many bytes as the page has.
local names = os.getenv("FIELDS")
if names then
  local fields = {}
  for name in names:gmatch("[^,]+") do fields[#fields + 1] = ('"%s":"%s of page"'):format(name, name) end
  local text = ('{%s}'):format(table.concat(fields, ","))
  text = text .. string.rep(" ", 500 - #text)
  add(function() answer(text) end)
end

-- => what is done before each answer; nil: nothing
if #changes == 0 then return nil end
return function()
  for _, change in ipairs(changes) do change() end
end
