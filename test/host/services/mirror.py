#!/opt/bench/bin/python3
"""The package mirrors, as files of /srv/mirror/NAME: NAME is the host that was asked for. Log: /var/log/stub/mirror.log."""

import http.server
import json
import os
import ssl
import threading

import bench


class Mirror(http.server.SimpleHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def translate_path(self, path):
        self.directory = os.path.join('/srv/mirror', (self.headers.get('Host') or 'nobody').split(':')[0])
        return super().translate_path(path)

    def log_message(self, *_):
        pass

    def log_request(self, code='-', size='-'):
        scheme = 'https' if isinstance(self.connection, ssl.SSLSocket) else 'http'
        bench.log('mirror', [self.command, '%s://%s%s' % (scheme, self.headers.get('Host'), self.path), str(int(code))])


def serve(port, context=None):
    server = http.server.ThreadingHTTPServer(('127.0.0.1', port), Mirror)
    if context:
        server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever).start()


context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain('/opt/bench/tls/mirror.crt', '/opt/bench/tls/mirror.key')
serve(80)
serve(443, context)
bench.ready()
