"""A client of the cluster's API, with the credentials of a kubeconfig."""

import base64
import json
import ssl
import tempfile
import urllib.error
import urllib.request

import yaml


class ApiError(Exception):
    def __init__(self, code, status):
        super().__init__(status.get('message') or status.get('reason') or 'code %d' % code)
        self.code = code
        self.reason = status.get('reason', '')


class Client:
    def __init__(self, server, ca=None, token=None, certificate=None, timeout=10):
        """ca: PEM text, None to trust anybody; certificate: path of a PEM file with certificate and key."""
        self.server, self.token, self.timeout = server.rstrip('/'), token, timeout
        self.context = ssl.create_default_context(cadata=ca) if ca else ssl._create_unverified_context()
        if certificate:
            self.context.load_cert_chain(certificate)

    def request(self, method, path, body=None, content_type='application/json'):
        request = urllib.request.Request(self.server + path, method=method)
        if self.token:
            request.add_header('Authorization', 'Bearer ' + self.token)
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header('Content-Type', content_type)
        # The proxy variables of the machine are nothing to a node's own cluster.
        opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=self.context)
        )
        try:
            with opener.open(request, timeout=self.timeout) as response:
                text = response.read().decode()
        except urllib.error.HTTPError as error:
            text = error.read().decode()
            raise ApiError(error.code, json.loads(text) if text.startswith('{') else {'message': text}) from None
        return json.loads(text) if text.startswith('{') else text

    def get(self, path):
        return self.request('GET', path)


def client(kubeconfig, **options):
    """A client for the current context of a kubeconfig file. OSError when the file is missing."""
    with open(kubeconfig) as file:
        config = yaml.safe_load(file)
    pick = lambda kind, name: next(entry[kind] for entry in config[kind + 's'] if entry['name'] == name)
    context = pick('context', config['current-context'])
    cluster, user = pick('cluster', context['cluster']), pick('user', context['user'])
    if 'certificate-authority-data' in cluster:
        ca = base64.b64decode(cluster['certificate-authority-data']).decode()
    else:
        with open(cluster['certificate-authority']) as file:
            ca = file.read()
    return Client(cluster['server'], ca, user.get('token'), certificate(user), **options)


def certificate(user):
    """Path of a PEM file with the user's certificate and key, or None."""
    if 'client-certificate' in user:
        paths = {user['client-certificate'], user['client-key']}
        texts = [open(path).read() for path in sorted(paths)]
    elif 'client-certificate-data' in user:
        texts = [base64.b64decode(user[key]).decode() for key in ('client-certificate-data', 'client-key-data')]
    else:
        return None
    file = tempfile.NamedTemporaryFile('w', suffix='.pem', dir='/run', delete=False)
    with file:
        file.write('\n'.join(texts))
    return file.name


def kubeconfig(server, ca, user):
    """Text of a kubeconfig as kubeadm writes it."""
    return yaml.safe_dump(
        {
            'apiVersion': 'v1',
            'clusters': [
                {
                    'cluster': {'certificate-authority-data': base64.b64encode(ca.encode()).decode(), 'server': server},
                    'name': 'default-cluster',
                }
            ],
            'contexts': [
                {
                    'context': {'cluster': 'default-cluster', 'namespace': 'default', 'user': 'default-auth'},
                    'name': 'default-context',
                }
            ],
            'current-context': 'default-context',
            'kind': 'Config',
            'preferences': {},
            'users': [{'name': 'default-auth', 'user': user}],
        }
    )
