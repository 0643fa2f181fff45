/** Every text of the wizard that does not come from another room. */

import type { Readability } from '../oss/types.ts';
import type { StepId } from '../publish/types.ts';
import { type Key, type Question, questions } from '../questions.ts';
import type { Overlay, ScreenName, WorkName } from './model.ts';

export const title = 'ackone-join';
/** What the help key does, in the footer. */
export const help = 'help';

interface ScreenWords {
  readonly question: string;
  /** What `?` tells: paragraphs. */
  readonly help: readonly string[];
}

export const screens: Readonly<Record<ScreenName, ScreenWords>> = {
  cluster: {
    question: questions.context.ask,
    help: [
      'The contexts of your kubeconfig. Type to find one.',
      'Beside the list stands whether everything that publishing needs is there: the credentials, the API server, the ConfigMap of the ACK One agent, and every right. Nothing is written.',
    ],
  },
  found: {
    question: 'Use these values?',
    help: [
      'All of this was read from the cluster, and each value says where it comes from. New nodes follow the control plane: they get its Kubernetes version, container runtime and cgroup driver.',
      'What is marked with ! is unusual, and says what will be done. What is marked with ? needs an answer of yours.',
    ],
  },
  foreign: {
    question: 'What is to become of the live script?',
    help: [
      'ConfigMap kube-system/ack-agent-config names a script that ackone-join did not publish. Whoever made it may rely on it.',
      'When it is replaced, its URL is kept as entry 0 of the history, and its text in a Secret where it can be read.',
    ],
  },
  where: {
    question: questions.bucket.ask,
    help: [
      'The script is uploaded to this bucket, and nodes read it there by an internal URL. An internal URL works in its own region only, so the bucket must be in the region of the nodes.',
    ],
  },
  access: {
    question: questions.access.ask,
    help: [
      'The script holds a bootstrap token. Whoever reads it can take on the identity of a node and read what nodes may read; in the VPC every machine that knows the URL can.',
      'A node fetches the script without credentials. "Only this VPC" lets every host of one VPC read what lies under our prefix, by one statement of the bucket policy.',
      'Public reading and signed URLs can be chosen by --access only.',
    ],
  },
  vpc: {
    question: questions.vpcId.ask,
    help: ["The VPC of the node pool: the ECS console shows it. The bucket's policy lets this VPC read the script."],
  },
  policy: {
    question: 'Add this statement to the bucket policy?',
    help: [
      'Without it nodes could not read the script. Every other statement of the policy stays as it is.',
      'It opens only what lies under the prefix, only for reading, and only for hosts of this VPC.',
    ],
  },
  unverified: {
    question: 'Go on without knowing whether nodes can read the script?',
    help: ['Whether a node can fetch the script could not be worked out. It can be tried on any ECS host of the VPC.'],
  },
  review: {
    question: 'Publish?',
    help: [
      'This is everything that will be done, in this order: + makes something, ~ changes something. Each step is checked, and taken back when a later one fails. The ConfigMap is switched last, so until then the old script stays live.',
    ],
  },
  confirm: {
    question: 'Everybody on the internet will be able to read the script. Type the name of the bucket to go on:',
    help: [
      'The script holds a bootstrap token: whoever reads it can take on the identity of a node. What was public once may have been read by anybody, so this asks for the name of the bucket.',
    ],
  },
  change: { question: 'Which answer?', help: ['Type to find one. Only what depends on it is asked again.'] },
  edit: { question: '', help: [] },
  publishing: {
    question: 'Publishing',
    help: [
      'Each step is checked before the next one begins. Until the URL is switched the old script stays live, and Esc takes back what was made; from then on the new one is live.',
    ],
  },
  failed: {
    question: 'What now?',
    help: ['Above stands what was taken back and what stands. Trying again reads everything anew.'],
  },
  done: { question: '', help: [] },
};

/** Ends "Waiting for …". */
export const waitingFor: Readonly<Record<WorkName, (name: string) => string>> = {
  found: (context) => `the cluster of context ${context}`,
  buckets: () => 'the list of buckets',
  access: (bucket) => `OSS, about bucket ${bucket}`,
  review: () => 'the plan',
};

export const choices = {
  useValues: 'Yes',
  changeOne: 'Change one',
  ownScript: 'Use a script of mine',
  otherCluster: 'Choose another cluster',
  otherBucket: 'Choose another bucket',
  keep: 'Keep it',
  inject: 'Put our block into it',
  replace: 'Replace it',
  replaceDetail: 'it is kept for a rollback',
  keepDetail: 'and leave: nothing is changed',
  typed: 'Type another one',
  onlyVpc: 'Only this VPC',
  asItIs: 'As the bucket is now',
  addStatement: 'Yes, add it',
  chooseAgain: 'No, choose again who may read',
  goOn: 'Yes, and try it on an ECS host afterwards',
  tryAgain: 'Try again',
  changeAnswer: 'Change an answer',
  leave: 'Leave',
  showRole: 'Show the role that is needed',
  pasteJoin: 'Paste a join command that somebody else made',
} as const;

export const later = 'This comes with a later version.';
export const planChanged = 'Something has changed since you read the plan: this is the plan now.';
export const noScriptNeeded =
  'ACK One needs no script of yours for a kubeadm cluster of this version; with one you decide on versions, mirrors and host settings, and see what each node did.';
export const cancelled = 'this was cancelled';
export const manifestAtEnd = 'It is printed when you leave.';

export const overlays: Readonly<Record<Exclude<Overlay, 'help'>, string>> = {
  plan: 'The whole plan',
  script: 'The script, its token masked',
  diff: 'From the live script to the new one, tokens masked',
  role: 'The role that publishing needs: give it to whoever keeps the cluster',
  found: 'What we found',
};
export const noLiveScript = 'There is no live script that can be read from here, so all of it is new.';

interface StepWords {
  readonly coming: string;
  readonly running: string;
  readonly done: string;
  readonly failed: string;
}

/** A noun with what becomes of it. */
export const steps: Readonly<Record<StepId, StepWords>> = {
  history: {
    coming: 'History entry',
    running: 'History entry being written',
    done: 'History entry written',
    failed: 'History entry not written',
  },
  token: {
    coming: 'Token',
    running: 'Token being made, signed and proven',
    done: 'Token made, signed and proven',
    failed: 'Token not made, or not proven',
  },
  policy: {
    coming: 'Bucket policy',
    running: 'Bucket policy being written',
    done: 'Bucket policy written',
    failed: 'Bucket policy not written',
  },
  upload: {
    coming: 'Script',
    running: 'Script uploading',
    done: 'Script uploaded and read back',
    failed: 'Script not uploaded',
  },
  switch: {
    coming: 'Script URL',
    running: 'Script URL being switched',
    done: 'Script URL switched',
    failed: 'Script URL not switched',
  },
  complete: {
    coming: 'History',
    running: 'History being completed',
    done: 'History completed',
    failed: 'History not completed',
  },
};

/** A question as a title: its own words, or the help of its flag as a sentence. */
export function questionOf(key: Key): string {
  const { ask, help }: Question = questions[key];
  return ask ?? `${capital(help.replace(/ \(default: .*\)$/, ''))}:`;
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const preflightDone = 'credentials accepted, agent ConfigMap there, every right there';
export const whatNow = 'What now?';
export const whatIsMissing = 'What is missing must be answered first. Which answer do you give?';
export const laterDetail = 'comes with a later version';
export const foreignLive = (url: string): string => `Live now, and not published by ackone-join: ${url}`;
export const elsewhere = (region: string): string => `${region}, not the region of the nodes`;
export const notListed = (why: string): string => `Buckets cannot be listed: ${why}.`;

export const readable = ({ answer, why }: Readability): string => `nodes can read it: ${answer}, ${why}`;
export const cannotRead = (why: string): string => `nodes could not read the script: ${why}`;
export const vpcChosenNext = 'which one is asked next';
export const vpcTypedNext = 'which one is asked next; the ECS console shows it';
export const statementMissing = (id: string): string => `${id}; the statement for it is missing, and shown next`;
export const inPolicy = 'named by the bucket policy';
export const readsAlready = 'the bucket policy lets it read the place of the script';
export const uploadedBy = (place: string): string => `Uploaded by ${place}`;
export const readBy = (url: string): string => `Read by nodes at ${url}…`;
export const merged = 'merged into the policy, whose other statements stay';
export const firstPolicy = 'the bucket has no policy yet';

export const noChanges = 'No changes: what is live is what would be published.';
export const emptyIsDefault = (flag: string): string => `${flag}; empty for the default`;
export const otherName = (name: string): string => `that is not ${name}`;
export const lookAgain = 'a last look at cluster and bucket';
export const takingBack = 'What was made is being taken back …';
