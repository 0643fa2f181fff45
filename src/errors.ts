/**
 * Every way in which a run can end that is not success. The codes are stable:
 * scripts and `ackone-join explain CODE` rely on them; wording is not.
 */

/** What a class of failure means, whatever the particular case. */
export interface FailureKind {
  /** Process exit code (DESIGN.md section 6). */
  readonly exit: 1 | 2 | 3 | 4 | 5 | 6 | 7;
  /** Why this happens, one sentence. */
  readonly why: string;
  /** What to do when the case at hand knows nothing better, one command or action each. */
  readonly next: readonly string[];
}

const usage = (why: string, ...next: string[]) => ({ exit: 2, why, next }) as const;
const check = (why: string, ...next: string[]) => ({ exit: 3, why, next }) as const;
const cluster = (why: string, ...next: string[]) => ({ exit: 4, why, next }) as const;
const oss = (why: string, ...next: string[]) => ({ exit: 5, why, next }) as const;

export const failures = {
  Bug: {
    exit: 1,
    why: 'The program met a state that it should never be in.',
    next: ['Run the same command with --debug and report its output.'],
  },

  // 2: usage, or consent missing
  Usage: usage('The command line is not one that this program knows.', 'Run ackone-join --help.'),
  AnswerMissing: usage('A value is needed that no flag, variable or config file gives.', 'Give the flag.'),
  AnswerInvalid: usage('A value does not have the form that it must have.', 'Correct the value.'),
  AnswersContradict: usage('Two values cannot both hold.', 'Leave one of them out.'),
  ConsentMissing: usage(
    'Without a terminal nobody can say yes, so nothing is changed unless --yes says it.',
    'Read the plan, then run the same command with --yes.',
  ),
  ConfigInvalid: usage('The config file cannot be used as it stands.', 'Correct the file.'),
  JoinCommandInvalid: usage(
    'The join command is not one that kubeadm would accept.',
    'Run `kubeadm token create --ttl 0 --print-join-command` and give its output as it is.',
  ),
  OutputUnwritable: usage('The output file cannot be written.', 'Choose another path.'),

  // 3: refused by a check, before anything was written
  RuntimeVersionUnknown: check(
    'Packages are named after the version of the container runtime, and none is known.',
    'Give --runtime-version.',
  ),
  UnsupportedRuntime: check(
    'Only docker and containerd can be installed by YUM here.',
    'Give --runtime containerd and --runtime-version.',
  ),
  UnsupportedDistribution: check(
    'On this Kubernetes distribution the kubelet is not the one of kubeadm, so a kubeadm join cannot work.',
    "Use the distribution's own way to add a node.",
  ),
  KubeVersionInvalid: check(
    'The Kubernetes version is none that packages exist for.',
    'Give --kube-version, for example 1.28.3.',
  ),
  NoControlPlane: check(
    'No node carries a control-plane label, so the versions cannot be read from one.',
    'Give --kube-version, --runtime and --runtime-version.',
  ),
  EmptyCluster: check(
    'The cluster has no nodes to read versions from.',
    'Give --kube-version, --runtime and --runtime-version.',
  ),
  BinaryCluster: check(
    'The cluster was not installed by kubeadm, so a node joins it by TLS bootstrap, and some of that only its owner knows.',
    'Give the flags that are named; ackone-join init --help has them under Binary style.',
  ),
  KubeadmObjectMissing: check(
    'A joining node reads this object, and it is missing or may not be read by it.',
    'Run `kubeadm init phase upload-config all` and `kubeadm init phase bootstrap-token` on a control-plane node.',
  ),
  DockershimRemoved: check(
    'From Kubernetes 1.24 on kubelet cannot talk to docker by itself; it needs cri-dockerd.',
    'Give --cri-dockerd-url with the URL of a cri-dockerd RPM, or --runtime containerd.',
  ),
  PackageImpossible: check(
    'No YUM repository carries such a package.',
    'Give --runtime-version with a version that is packaged.',
  ),
  RuntimeTooOld: check(
    'The runtime does not speak the CRI version that this kubelet needs.',
    'Give --runtime-version.',
  ),
  ServerUnreachableFromEcs: check(
    'Joining nodes use the server of cluster-info, and a new ECS host cannot reach that one.',
    'Give --api-server-ip, or correct the server in ConfigMap kube-public/cluster-info.',
  ),
  DiscoveryInvalid: check(
    'ConfigMap kube-public/cluster-info does not hold what kubeadm needs to find and trust the API server.',
    'Run `kubeadm init phase bootstrap-token` on a control-plane node.',
  ),
  AnonymousAccessOff: check(
    'kubeadm reads cluster-info without credentials, and the API server has anonymous requests switched off.',
    'Start kube-apiserver with --anonymous-auth=true, or allow anonymous reads of cluster-info in its authentication configuration.',
  ),
  AnonymousAccessForbidden: check(
    'kubeadm reads cluster-info without credentials, and RBAC refuses that.',
    'Run `kubeadm init phase bootstrap-token` on a control-plane node: it makes the role and its binding in kube-public.',
  ),
  TokenRefuted: check(
    'The token was made, but a node cannot join with it.',
    'Run `kubeadm init phase bootstrap-token` on a control-plane node, then try again.',
  ),
  BootstrapRolesMissing: check(
    'Without kubeadm nobody has granted new nodes what they need: to ask for a certificate, to have it approved and renewed.',
    'Apply the manifest that is printed with `kubectl apply -f -`, as a user who may grant roles, then try again.',
  ),
  BootstrapKubeconfigRefuted: check(
    'A node could not join with this bootstrap kubeconfig.',
    'Bind its user or group to the ClusterRoles system:node-bootstrapper and system:certificates.k8s.io:certificatesigningrequests:nodeclient, or leave --bootstrap-kubeconfig out.',
  ),
  RegionInvalid: check(
    'OSS regions are written like cn-hangzhou.',
    'Give --region as the console shows it, for example cn-hangzhou.',
  ),
  RegionMismatch: check(
    'An internal OSS URL works only inside its own region.',
    'Use a bucket in the region of the nodes, or give --node-region if the nodes are elsewhere.',
  ),
  BucketNameInvalid: check(
    'This is no OSS bucket name.',
    'Give --bucket: 3 to 63 of a-z, 0-9 and -, not at either end.',
  ),
  ObjectKeyInvalid: check(
    'This is no OSS object key that can stand in a URL as it is.',
    'Give --object-key or --object-prefix with letters, digits and . _ ~ - only, and single slashes between.',
  ),
  ScriptUrlInvalid: check(
    'The registered cluster takes only an http or https URL of at most 1024 characters.',
    'Give a shorter URL, or one of that form.',
  ),
  ScriptUrlDiffers: check(
    'The URL does not give the script that was composed.',
    'Put the file of --output-file there, then try again.',
  ),
  NodesCannotRead: check(
    'A node fetches the script without credentials, and this bucket would refuse it.',
    'Give --access vpc --vpc-id vpc-… , or let the bucket policy allow oss:GetObject from your VPC.',
  ),
  ReadabilityUnknown: check(
    'Whether nodes can fetch the script could not be worked out.',
    'Check it on an ECS host with curl, then give --accept-unverified.',
  ),
  PolicyNotManaged: check(
    'The bucket already has a policy, and it does not let the VPC read the script.',
    'Add the statement that is printed, or give --manage-bucket-policy.',
  ),
  ForeignScript: check(
    'The live script is not one that ackone-join published.',
    'Read it at its URL; to replace it, give --replace-foreign.',
  ),
  LiveScriptChanged: check(
    'Somebody else changed addNodeScriptPath while this run was under way.',
    'See who changed it, then run the same command again.',
  ),
  AnotherRun: check(
    'Another run is publishing, or was cut off a short while ago.',
    'Wait for it, or run again after ten minutes: it is taken over then.',
  ),
  ConfirmationMissing: check('What is hard to take back must be confirmed by name.', 'Give --confirm with the name.'),
  HistoryInvalid: check(
    'ConfigMap kube-system/ackone-join does not hold a history that this version can read.',
    'Use a newer ackone-join, or mend the ConfigMap.',
  ),

  // 4: cluster
  KubeconfigMissing: cluster(
    'There is no kubeconfig where it was looked for.',
    'Give --kubeconfig, or set KUBECONFIG.',
  ),
  KubeconfigInvalid: cluster('The kubeconfig cannot be used as it stands.', 'Check it with `kubectl config view`.'),
  ContextUnknown: cluster('The kubeconfig has no such context.', 'List them with `kubectl config get-contexts`.'),
  CredentialPluginFailed: cluster(
    'The kubeconfig gets its credentials from a command, and that command failed.',
    'Run the command by hand.',
  ),
  CredentialPluginNeedsTerminal: cluster(
    'The kubeconfig gets its credentials from a command that must ask somebody.',
    'Run ackone-join in a terminal, or log in first.',
  ),
  ClusterUnreachable: cluster(
    'The API server does not answer.',
    'Check the address with `kubectl cluster-info`, then the network, VPN and proxy.',
  ),
  ClusterTimeout: cluster('The API server did not answer in time.', 'Try again, or give a longer --timeout.'),
  ClusterCertificateUntrusted: cluster(
    'The certificate of the API server is not signed by a CA that the kubeconfig names.',
    'Put the right CA into certificate-authority-data of the kubeconfig.',
  ),
  ClusterCertificateExpired: cluster(
    'A certificate is past its end, or this machine has a wrong clock.',
    'Renew it: `kubeadm certs check-expiration` shows which.',
  ),
  ClusterUnauthorized: cluster(
    'The API server does not know these credentials.',
    'Log in again, or choose another context.',
  ),
  ClusterForbidden: cluster('The credentials lack a right.', 'Ask for the role in docs/permissions.md.'),
  ClusterNotFound: cluster('The API server does not know this object.', 'Check that the context is the right cluster.'),
  AgentConfigMissing: cluster(
    'ConfigMap kube-system/ack-agent-config is missing: the cluster is not registered with ACK One, or its agent is not installed.',
    'Register the cluster in the ACK One console and install the agent, then try again.',
  ),
  TokenIdTaken: cluster(
    'The id that was drawn for the new token belongs to another one.',
    'Run the same command again.',
  ),
  ClusterConflict: cluster('The object was changed by somebody else at the same time.', 'Run the same command again.'),
  ClusterBusy: cluster('The API server asks to slow down.', 'Try again in a minute.'),
  ClusterRejected: cluster(
    'The API server refuses the request as it stands: an admission policy, or an API of another version.',
    'Read the causes; ask whoever keeps the admission policies of this cluster.',
  ),
  ClusterServerError: cluster('The API server failed.', 'Try again; if it lasts, look at the log of kube-apiserver.'),
  ClusterAnswerInvalid: cluster(
    'What came back is not an answer of the Kubernetes API.',
    'Check whether a proxy or another server answers at this address.',
  ),
  TokenNotSigned: cluster(
    'The bootstrapsigner controller has not signed cluster-info for the new token.',
    'Start kube-controller-manager with --controllers=*,bootstrapsigner,tokencleaner (kubeadm does).',
  ),

  // 5: OSS
  CredentialsMissing: oss(
    'No Alibaba Cloud credentials were found.',
    'Set ALIBABA_CLOUD_ACCESS_KEY_ID and ALIBABA_CLOUD_ACCESS_KEY_SECRET, or run `aliyun configure`.',
  ),
  CredentialsInvalid: oss(
    'OSS does not accept these credentials.',
    'Check the access key, and that it is not disabled.',
  ),
  ClockSkew: oss('OSS refuses requests whose time is more than 15 minutes off.', 'Set the clock of this machine.'),
  WrongEndpoint: oss(
    'The bucket is in another region than the one asked.',
    'Give --region with the region of the bucket.',
  ),
  PublicAccessBlocked: oss(
    'Block Public Access is on for this bucket, and ackone-join never switches it off.',
    'Use --access vpc with --vpc-id, or --access presigned.',
  ),
  CustomDomainRequired: oss(
    'New OSS accounts cannot use the default public domain in mainland regions.',
    'Give --oss-endpoint with a domain of yours that is bound to the bucket, and --oss-cname.',
  ),
  OssForbidden: oss('The credentials may not do this on the bucket.', 'Grant the RAM policy in docs/permissions.md.'),
  BucketMissing: oss('There is no such bucket.', 'Check --bucket, or make it in the OSS console.'),
  OssUnreachable: oss(
    'OSS does not answer.',
    'Check the network and proxy; outside of the VPC use the public endpoint.',
  ),
  ObjectUnreadable: oss(
    'The object cannot be read in the state that it is in.',
    'Use a bucket with storage class Standard and without KMS.',
  ),
  ObjectExists: oss(
    'An object of this key is there already, and what may be live is never overwritten.',
    'Give another --object-key, or none.',
    'If somebody has altered what we published: see who, then give --new-token.',
  ),
  OssRefused: oss('OSS refuses the request.', "Look the code up in OSS's error handbook."),
  OssServerError: oss('OSS failed.', 'Try again in a minute.'),
  OssAnswerInvalid: oss('What came back is not an answer of OSS.', 'Check whether a proxy answers instead of OSS.'),
  ScriptUrlUnreadable: oss(
    'The URL could not be read from here.',
    'Check that the file is there, and the network and proxy of this machine.',
  ),
  ReadBackDiffers: oss(
    'What OSS gives back is not what was uploaded.',
    'Try again; if it lasts, check whether something rewrites the object.',
  ),

  // 7: switched, but not confirmed
  SwitchedButUnverified: {
    exit: 7,
    why: 'addNodeScriptPath was changed, but reading it back failed, so its value is not certain.',
    next: ['Run `kubectl -n kube-system get configmap ack-agent-config -o yaml` and look at addNodeScriptPath.'],
  },
  SwitchedButUnrecorded: {
    exit: 7,
    why: 'The new script is live and stays, but the history in ConfigMap kube-system/ackone-join does not say so yet.',
    next: ['Run the same command again after ten minutes: it sets the history right.'],
  },
} as const satisfies Record<string, FailureKind>;

export type FailureCode = keyof typeof failures;

/** What a particular failure knows beyond its kind. */
export interface FailureDetails {
  /** Deeper reasons, nearest first; already free of secrets. */
  readonly causes?: readonly string[];
  /** Replaces the kind's next steps. */
  readonly next?: readonly string[];
  /** What a next step speaks of: YAML for `kubectl apply -f -`. */
  readonly manifest?: string | undefined;
  /** The error underneath, shown only by --debug. */
  readonly cause?: unknown;
}

/** A failure that a person can act on: code, what happened, why, what next. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly code: FailureCode;
  readonly causes: readonly string[];
  readonly next: readonly string[];
  readonly manifest: string | undefined;

  /** @param what One sentence: what happened in this case, naming the values. Never holds a secret. */
  constructor(code: FailureCode, what: string, details: FailureDetails = {}) {
    super(what, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.causes = details.causes ?? [];
    this.next = details.next ?? failures[code].next;
    this.manifest = details.manifest;
  }

  get kind(): FailureKind {
    return failures[this.code];
  }
}

/** A signal ended the run. `causes` says what was taken back and what stands. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  readonly exit: 129 | 130 | 143;
  readonly causes: readonly string[];

  constructor(exit: 129 | 130 | 143, causes: readonly string[] = []) {
    super('interrupted');
    this.exit = exit;
    this.causes = causes;
  }
}

/**
 * Something found before anything is written. `stop` ends the run as a Failure of
 * the same code; `warning` and `note` are shown with the plan.
 */
export type Finding = {
  readonly what: string;
  readonly next: readonly string[];
} & (
  | { readonly severity: 'stop'; readonly code: FailureCode }
  /** `code`: any stable CamelCase name. */
  | { readonly severity: 'warning' | 'note'; readonly code: string }
);
