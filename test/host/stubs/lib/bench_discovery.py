"""kubeadm's token-based discovery (kubernetes cmd/kubeadm/app/discovery/token)."""

import base64
import hashlib
import hmac
import subprocess
import sys
import time

import bench
import bench_kube
import yaml


def pin(pem):
    key = subprocess.run(
        'openssl x509 -pubkey -noout | openssl pkey -pubin -outform der',
        shell=True,
        input=pem.encode(),
        capture_output=True,
        check=True,
    ).stdout
    return 'sha256:' + hashlib.sha256(key).hexdigest()


def discover(config):
    """(server, CA) of cluster-info, after its signature and the CA's pin were checked."""
    path = '/api/v1/namespaces/kube-public/configmaps/cluster-info'
    failed = 'error execution phase preflight: couldn\'t validate the identity of the API Server: '
    data = None
    for _ in range(3):
        try:
            data = bench_kube.Client('https://' + config['server']).get(path)['data']
            break
        except bench_kube.ApiError as error:
            bench.die(failed + str(error))
        except OSError as error:
            print('[discovery] Failed to request cluster-info, will try again: %s' % error, file=sys.stderr)
            time.sleep(1)
    if data is None:
        bench.die(failed + 'context deadline exceeded')
    token_id, _, secret = config['token'].partition('.')
    jws = data.get('jws-kubeconfig-' + token_id)
    if jws is None:
        bench.die(failed + 'could not find a JWS signature in the cluster-info ConfigMap for token ID "%s"' % token_id)
    encode = lambda raw: base64.urlsafe_b64encode(raw).rstrip(b'=')
    header, _, signature = jws.partition('..')
    digest = hmac.new(secret.encode(), header.encode() + b'.' + encode(data['kubeconfig'].encode()), 'sha256').digest()
    if encode(digest).decode() != signature:
        bench.die(
            failed + 'failed to verify JWS signature of received cluster info object, can\'t trust this API Server'
        )
    cluster = yaml.safe_load(data['kubeconfig'])['clusters'][0]['cluster']
    ca = base64.b64decode(cluster['certificate-authority-data']).decode()
    if config['pins'] and pin(ca) not in config['pins']:
        bench.die(
            failed
            + 'cluster CA found in cluster-info ConfigMap is invalid: none of the public keys "%s" are pinned' % pin(ca)
        )
    return cluster['server'], ca
