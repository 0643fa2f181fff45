"""What the stubs share: the log of their calls, readiness, and how they ask a container runtime's socket."""

import fcntl
import json
import os
import signal
import socket
import sys

RUNTIME_STATE = '/run/bench/runtime'


def log(name, argv=None):
    """One line of JSON a call: the words that the stub was called with."""
    os.makedirs('/var/log/stub', exist_ok=True)
    with open('/var/log/stub/%s.log' % name, 'a') as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write(json.dumps(sys.argv[1:] if argv is None else argv) + '\n')


def numbers(version):
    """`18.06.3.ce` → (18, 6, 3)"""
    return tuple(int(part) for part in version.lstrip('v').split('.')[:3] if part.isdigit())


def die(message, code=1):
    print(message, file=sys.stderr)
    sys.exit(code)


def ready():
    """Tells systemd that the daemon is up."""
    address = os.environ.get('NOTIFY_SOCKET')
    if address:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify:
            notify.sendto(b'READY=1', '\0' + address[1:] if address[0] == '@' else address)


def listen(path):
    """The listening socket that systemd passed, or a new one at path."""
    if os.environ.get('LISTEN_FDS') == '1' and os.environ.get('LISTEN_PID') == str(os.getpid()):
        return socket.socket(fileno=3)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if os.path.exists(path):
        os.unlink(path)
    server = socket.socket(socket.AF_UNIX)
    server.bind(path)
    server.listen(16)
    return server


def be_runtime(path, state):
    """Serves a runtime's state as JSON to whoever connects, until stopped."""
    server = listen(path)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    ready()
    while True:
        connection, _ = server.accept()
        with connection:
            try:
                connection.sendall(json.dumps(state).encode())
            except OSError:
                pass


def ask_runtime(endpoint):
    """The state of the runtime behind `unix:///run/containerd/containerd.sock`; OSError when nothing answers."""
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(5)
        client.connect(endpoint.removeprefix('unix://'))
        chunks = iter(lambda: client.recv(65536), b'')
        return json.loads(b''.join(chunks))
