#!/opt/bench/bin/python3
"""
The cluster's API, as far as a joining node asks it: cluster-info, kubeadm's ConfigMaps, certificate requests, Nodes.
What the cluster is stands in /opt/bench/cluster: cluster.json (test/host/cluster.ts) and its authority.
"""

import base64
import http.server
import json
import os
import re
import ssl
import subprocess
import threading

import bench

FOLDER = '/opt/bench/cluster/'
with open(FOLDER + 'cluster.json') as file:
    CLUSTER = json.load(file)
VERSION = bench.numbers(CLUSTER['version'])
HOST, _, PORT = CLUSTER['endpoint'].rpartition(':')
NODES = {node['metadata']['name']: node for node in CLUSTER['nodes']}
REQUESTS = {}
LOCK = threading.Lock()


class Refused(Exception):
    def __init__(self, code, reason, message):
        super().__init__(message)
        self.code, self.reason = code, reason


def request(user, spec):
    name = 'node-csr-%d' % (len(REQUESTS) + 1)
    REQUESTS[name] = {
        'kind': 'CertificateSigningRequest',
        'metadata': {'name': name},
        'spec': {**spec, 'username': user},
        'status': {},
    }
    return signed(name)


def signed(name):
    """The request; with a certificate for whoever asks with a bootstrap token, at once, unless there is the file `unapproved`."""
    asked = REQUESTS[name]
    if asked['status'] or os.path.exists(FOLDER + 'unapproved'):
        return asked
    cert = subprocess.run(
        [
            'openssl',
            'x509',
            '-req',
            '-CA',
            FOLDER + 'ca.crt',
            '-CAkey',
            FOLDER + 'ca.key',
            '-set_serial',
            str(100 + int(name.rpartition('-')[2])),
            '-days',
            '365',
        ],
        input=base64.b64decode(asked['spec']['request']),
        capture_output=True,
        check=True,
    ).stdout
    asked['status'] = {
        'conditions': [{'type': 'Approved', 'status': 'True'}],
        'certificate': base64.b64encode(cert).decode(),
    }
    return asked


def merge(base, patch):
    for key, value in patch.items():
        if isinstance(value, dict) and isinstance(base.get(key), dict):
            merge(base[key], value)
        else:
            base[key] = value


def node_of(name):
    if name not in NODES:
        raise Refused(404, 'NotFound', 'nodes "%s" not found' % name)
    return NODES[name]


def add_node(node):
    name = node['metadata']['name']
    if name in NODES:
        raise Refused(409, 'AlreadyExists', 'nodes "%s" already exists' % name)
    NODES[name] = {**node, 'status': {}}
    return NODES[name]


def patch_node(name, patch):
    merge(node_of(name), patch)
    return NODES[name]


def may(user, verb, resource, name):
    """Who may do what, as kubeadm's RBAC, the node authorizer and the NodeRestriction plugin have it."""
    if user == 'admin':
        return True
    if resource == 'cluster-info':
        return verb == 'get'
    if user.startswith('system:bootstrap:'):
        if resource == 'nodes':  # from 1.18 (kubernetes PR#81056)
            return verb == 'get' and name is not None and VERSION >= (1, 18)
        return resource in ('certificatesigningrequests', 'kubeadm-config') or resource.startswith('kubelet-config')
    return user.startswith('system:node:') and resource == 'nodes' and name == user.removeprefix('system:node:')


def answer(user, method, path, body):
    """The object to send back, for the user and the request."""
    if path in ('/healthz', '/livez', '/readyz'):
        return 'ok'
    if path == '/version':
        return {'gitVersion': CLUSTER['version'], 'major': str(VERSION[0]), 'minor': str(VERSION[1])}
    verb = {'GET': 'get', 'POST': 'create', 'PATCH': 'patch'}.get(method)

    def allow(resource, name=None):
        if not may(user, verb, resource, name):
            raise Refused(
                403,
                'Forbidden',
                '%s "%s" is forbidden: User "%s" cannot %s resource "%s"'
                % (resource, name or '', user, verb, resource),
            )

    match = re.fullmatch(r'/api/v1/namespaces/([\w-]+)/configmaps/([\w.-]+)', path)
    if match and verb == 'get':
        allow(match[2])
        data = CLUSTER['configMaps'].get('/'.join(match.groups()))
        if data is None:
            raise Refused(404, 'NotFound', 'configmaps "%s" not found' % match[2])
        return {
            'kind': 'ConfigMap',
            'apiVersion': 'v1',
            'metadata': {'namespace': match[1], 'name': match[2]},
            'data': data,
        }
    match = re.fullmatch(r'/apis/certificates\.k8s\.io/v1/certificatesigningrequests(?:/([\w-]+))?', path)
    if match:
        allow('certificatesigningrequests')
        return request(user, body['spec']) if verb == 'create' else signed(match[1])
    match = re.fullmatch(r'/api/v1/nodes(?:/([\w.-]+))?(/status)?', path)
    if match:
        allow('nodes', match[1] or (body or {}).get('metadata', {}).get('name'))
        if verb == 'create':
            return add_node(body)
        if verb == 'patch':
            return patch_node(match[1], body)
        return node_of(match[1]) if match[1] else {'kind': 'NodeList', 'items': list(NODES.values())}
    raise Refused(404, 'NotFound', 'the server could not find the requested resource')


class Api(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def log_message(self, *_):
        pass

    def user(self):
        kind, _, token = self.headers.get('Authorization', '').partition(' ')
        if kind == 'Bearer':
            users = {CLUSTER['token']: 'system:bootstrap:' + CLUSTER['token'][:6], CLUSTER['adminToken']: 'admin'}
            if token not in users:
                raise Refused(401, 'Unauthorized', 'Unauthorized')
            return users[token]
        names = dict(pair for part in (self.connection.getpeercert() or {}).get('subject', ()) for pair in part)
        return names.get('commonName', 'system:anonymous')

    def handle_request(self):
        length = int(self.headers.get('Content-Length') or 0)
        body = json.loads(self.rfile.read(length)) if length else None
        code = 201 if self.command == 'POST' else 200
        user = None
        try:
            user = self.user()
            with LOCK:
                result = answer(user, self.command, self.path.split('?')[0], body)
                data = (result if isinstance(result, str) else json.dumps(result)).encode()
        except Refused as refused:
            code = refused.code
            data = json.dumps(
                {
                    'kind': 'Status',
                    'apiVersion': 'v1',
                    'status': 'Failure',
                    'reason': refused.reason,
                    'code': code,
                    'message': str(refused),
                }
            ).encode()
        bench.log('api', [self.command, self.path, str(code), user or ''])
        self.send_response(code)
        self.send_header('Content-Type', 'application/json')
        self.send_header('Content-Length', str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_POST = do_PATCH = handle_request


def serving_certificate():
    """Makes tls.pem, for the address that the endpoint has."""
    openssl = lambda *words, **more: subprocess.run(['openssl', *words], check=True, capture_output=True, **more).stdout
    key = openssl('genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256')
    request = openssl(
        'req',
        '-new',
        '-key',
        '/dev/stdin',
        '-subj',
        '/CN=kube-apiserver',
        '-addext',
        'subjectAltName=IP:' + HOST,
        input=key,
    )
    certificate = openssl(
        'x509',
        '-req',
        '-CA',
        FOLDER + 'ca.crt',
        '-CAkey',
        FOLDER + 'ca.key',
        '-set_serial',
        '2',
        '-days',
        '365',
        '-copy_extensions',
        'copy',
        input=request,
    )
    with open(FOLDER + 'tls.pem', 'wb') as file:
        file.write(certificate + key)


subprocess.run(['ip', 'link', 'set', 'lo', 'up'], check=True)
subprocess.run(['ip', 'address', 'replace', HOST + '/32', 'dev', 'lo'], check=True)
serving_certificate()
server = http.server.ThreadingHTTPServer((HOST, int(PORT)), Api)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(FOLDER + 'tls.pem')
context.load_verify_locations(FOLDER + 'ca.crt')
context.verify_mode = ssl.CERT_OPTIONAL
server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
threading.Thread(target=server.serve_forever).start()
bench.ready()
