/** An API server of the tests: real TLS, with a CA of its own. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import type { Host } from './bash.ts';

const openssl = (words: readonly string[], cwd: string) =>
  execFileSync('openssl', words, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

/** Makes NAME.crt, NAME.key and NAME.pem, of both, in the host's root. */
export function makeCa(host: Host, name: string): string {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', `${name}.key`];
  openssl(['req', '-x509', ...key, '-subj', `/CN=${name}`, '-days', '1', '-out', `${name}.crt`], host.root);
  return host.read(`${name}.crt`);
}

/** @param extensions `subjectAltName=IP:127.0.0.1` */
export function makeCertificate(host: Host, ca: string, name: string, subject: string, extensions = ''): void {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', `${name}.key`];
  openssl(['req', '-new', ...key, '-subj', subject, '-out', `${name}.csr`], host.root);
  writeFileSync(host.path('extensions'), extensions);
  const signed = ['-CA', `${ca}.crt`, '-CAkey', `${ca}.key`, '-CAcreateserial', '-days', '1', '-extfile', 'extensions'];
  openssl(['x509', '-req', '-in', `${name}.csr`, ...signed, '-out', `${name}.crt`], host.root);
  host.write(`${name}.pem`, host.read(`${name}.crt`) + host.read(`${name}.key`));
}

/**
 * Bash that starts it with server.pem, sets PORT, and ends it with the script. It asks for client certificates of ca.crt, and
 * answers with node.json to whoever shows one, or 404, else 401; what was asked goes to the file `asked`.
 */
export const tlsServer = `
  cat >"$ROOT/server.py" <<'PY'
import http.server, os, ssl, sys
root = os.environ["ROOT"]
class Api(http.server.BaseHTTPRequestHandler):
  def log_message(self, *_): pass
  def do_GET(self):
    subject = dict(pair for part in (self.connection.getpeercert() or {}).get("subject", ()) for pair in part)
    with open(root + "/asked", "a") as file: file.write("%s %s\\n" % (self.path, subject.get("commonName")))
    there = os.path.exists(root + "/node.json")
    body = open(root + "/node.json", "rb").read() if subject and there else b"{}"
    self.send_response(401 if not subject else 200 if there else 404)
    self.send_header("Content-Length", str(len(body)))
    self.end_headers()
    self.wfile.write(body)
server = http.server.HTTPServer(("127.0.0.1", 0), Api)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(root + "/server.pem")
context.load_verify_locations(root + "/ca.crt")
context.verify_mode = ssl.CERT_OPTIONAL
server.socket = context.wrap_socket(server.socket, server_side=True)
open(root + "/port", "w").write("%d\\n" % server.server_port)
server.serve_forever()
PY
  python3 "$ROOT/server.py" &
  trap "kill $!" EXIT
  until [[ -s $ROOT/port ]]; do command sleep 0.05; done
  PORT=$(cat "$ROOT/port")
`;
