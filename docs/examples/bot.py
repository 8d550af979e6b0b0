"""Plays random legal answers against the random bot; only the standard library. Usage: bot.py [HOST:PORT]"""
import base64, http.client, json, os, random, socket, struct, sys, urllib.parse

def call(where, method, path, body, headers={}):
    line = http.client.HTTPConnection(where)
    line.request(method, path, json.dumps(body), {"content-type": "application/json", **headers})
    answer = line.getresponse()
    told = json.load(answer)
    return (answer, told) if answer.status < 300 else sys.exit(f"{path}: {told['reason']}")

def sign_in(where, path, body):  # the cookie is the session; the csrf token goes with everything that changes something
    answer, me = call(where, "POST", path, body)
    return {"cookie": answer.getheader("set-cookie").split(";")[0], "x-csrf": me["csrf"]}

class Wire:  # a web socket (RFC 6455): an HTTP request, then frames; a client's frames are masked
    def __init__(self, where, session):
        host, port = where.rsplit(":", 1)
        self.socket = socket.create_connection((host.strip("[]"), port))
        self.stream = self.socket.makefile("rb")
        self.socket.sendall((f"GET /ws HTTP/1.1\r\nHost: {where}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                             f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\nCookie: {session['cookie']}\r\n\r\n").encode())
        while self.stream.readline().strip():
            pass

    def send(self, data, opcode=1):
        mask = os.urandom(4)
        length = bytes([0x80 | len(data)]) if len(data) < 126 else struct.pack("!BH", 0x80 | 126, len(data))
        self.socket.sendall(bytes([0x80 | opcode]) + length + mask + bytes(byte ^ mask[at % 4] for at, byte in enumerate(data)))

    def say(self, **message):
        self.send(json.dumps(message).encode())

    def messages(self):
        while head := self.stream.read(2):
            length = head[1] if head[1] < 126 else int.from_bytes(self.stream.read(2 if head[1] == 126 else 8), "big")
            data, opcode = self.stream.read(length), head[0] & 15
            if opcode == 1:
                yield json.loads(data)
            elif opcode == 9:  # a ping wants a pong
                self.send(data, 10)

def merge(document, patch):  # RFC 7396: objects are merged key by key, null removes a key, anything else replaces
    if not isinstance(patch, dict):
        return patch
    merged = dict(document) if isinstance(document, dict) else {}
    merged.update((key, merge(merged.get(key), value)) for key, value in patch.items())
    return {key: value for key, value in merged.items() if value is not None}

def choice(question):
    if question["kind"] == "number":
        return {"number": random.randint(question["least"], question["most"])}
    options = range(len(question["options"]))  # an order is a pick of all options
    count = random.randint(question.get("least", len(options)), question.get("most", len(options)))
    return {"pick": random.sample(options, count)}

def play(where, session, table):  # to the end, or until another server has the match: then what was said of that
    wire, known, answered = Wire(where, session), {}, None
    wire.say(type="hello", protocol=1, build=None)
    wire.say(type="watch", table=table, since=0)
    for message in wire.messages():
        if message["type"] in ("rejected", "refused"):
            sys.exit(message["reason"])
        if message["type"] == "moved":
            return message
        if message["type"] == "update":
            known = merge({} if message["base"] == 0 else known, message["patch"])
            if known["state"]["is"] == "over":
                print(f"over: {known['state']}, I was seat {known['seat']}")
                sys.exit(call(where, "DELETE", "/api/me", None, session)[1])  # an address has room for so many guests
            ask = known.get("ask", {})
            if "question" in ask and ask["number"] != answered:
                answered = ask["number"]
                wire.say(type="answer", table=table, ask=answered, id=answered, answer=choice(ask["question"]))
    sys.exit("the line broke before the game was over")

where = sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1:7327"
session = sign_in(where, "/api/guest", {"name": f"Python {random.randrange(10**6)}"})
table = call(where, "POST", "/api/tables", {"game": "tcg", "deck": "droid_host", "bot": "random", "bot_deck": "jedi_council",
                                            "private": True, "clock": {"kind": "none"}}, session)[1]["id"]
for _ in range(10):  # servers that send a bot to and fro do not do so for ever
    moved = play(where, session, table)
    where = urllib.parse.urlsplit(moved["url"]).netloc
    session = sign_in(where, "/api/enter", {"ticket": moved["ticket"]})
sys.exit("sent from server to server too often")
