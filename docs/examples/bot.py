"""A bot for Trilogy that plays random legal answers against the random bot. Usage: bot.py [HOST:PORT]

Only the standard library; docs/PROTOCOL.md tells what the messages mean.
"""
import base64, http.client, json, os, random, socket, struct, sys

where = sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1:7327"

def rest(method, path, body=None, headers={}):
    line = http.client.HTTPConnection(where)
    line.request(method, path, json.dumps(body), {"content-type": "application/json", **headers})
    answer = line.getresponse()
    text = answer.read()
    if answer.status >= 300:
        sys.exit(f"{method} {path}: {text.decode()}")
    return answer, json.loads(text)

# A guest needs a name. The cookie is the session; the csrf token goes with everything that changes something.
answer, me = rest("POST", "/api/guest", {"name": f"Python {random.randrange(10**6)}"})
session = {"cookie": answer.getheader("set-cookie").split(";")[0], "x-csrf": me["csrf"]}
new = {"game": "tcg", "deck": "droid_host", "bot": "random", "bot_deck": "jedi_council", "private": True, "clock": {"kind": "none"}}
table = rest("POST", "/api/tables", new, session)[1]["id"]

# A web socket (RFC 6455): an HTTP request, then frames. A client's frames are masked.
host, port = where.rsplit(":", 1)
wire = socket.create_connection((host, int(port)))
stream = wire.makefile("rb")
key = base64.b64encode(os.urandom(16)).decode()
wire.sendall((f"GET /ws HTTP/1.1\r\nHost: {where}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
              f"Sec-WebSocket-Key: {key}\r\nCookie: {session['cookie']}\r\n\r\n").encode())
while stream.readline().strip():
    pass

def send(payload, opcode=1):
    data = json.dumps(payload).encode() if opcode == 1 else payload
    mask = os.urandom(4)
    length = bytes([0x80 | len(data)]) if len(data) < 126 else bytes([0x80 | 126]) + struct.pack("!H", len(data))
    wire.sendall(bytes([0x80 | opcode]) + length + mask + bytes(byte ^ mask[at % 4] for at, byte in enumerate(data)))

def receive():
    while True:
        first, length = stream.read(2)
        if length >= 126:
            length = struct.unpack("!H" if length == 126 else "!Q", stream.read(2 if length == 126 else 8))[0]
        data = stream.read(length)
        if first & 15 == 1:
            return json.loads(data)
        if first & 15 == 9:
            send(data, 10)

def merge(document, patch):
    """RFC 7396: objects are merged key by key, null removes a key, anything else replaces."""
    if not isinstance(patch, dict):
        return patch
    document = dict(document) if isinstance(document, dict) else {}
    for key, value in patch.items():
        document[key] = merge(document.get(key), value)
    return {key: value for key, value in document.items() if value is not None}

send({"type": "hello", "protocol": 1, "build": None})
send({"type": "watch", "table": table, "since": 0})
known, answered = {}, -1
while known.get("state", {}).get("is") != "over":
    message = receive()
    if message["type"] in ("rejected", "refused"):
        sys.exit(message["reason"])
    if message["type"] != "update":
        continue
    known = merge({} if message["base"] == 0 else known, message["patch"])
    ask = known.get("ask", {})
    if "question" in ask and ask["number"] != answered:
        answered, question = ask["number"], ask["question"]
        if question["kind"] == "number":
            choice = {"number": random.randint(question["least"], question["most"])}
        else:
            options = range(len(question["options"]))
            count = len(options) if question["kind"] == "order" else random.randint(question["least"], question["most"])
            choice = {"pick": random.sample(options, count)}
        send({"type": "answer", "table": table, "ask": answered, "id": answered, "answer": choice})
print(f"over: {known['state']}, I was seat {known['seat']}")
