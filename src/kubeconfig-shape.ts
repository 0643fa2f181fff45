/** The form of a kubeconfig, whoever's it is (client-go tools/clientcmd/api/v1/types.go). */
import * as z from 'zod';

const text = z
  .string()
  .nullish()
  .transform((value) => value || undefined);
const list = <S extends z.ZodType>(item: S) =>
  z
    .array(item)
    .nullish()
    .transform((value) => value ?? []);

const execEntry = z.object({
  apiVersion: text,
  command: z.string().min(1),
  args: list(z.string()),
  env: list(z.object({ name: z.string(), value: z.string() })),
  installHint: text,
  interactiveMode: z.enum(['Never', 'IfAvailable', 'Always']).nullish(),
  provideClusterInfo: z.boolean().nullish(),
});
export const clusterEntry = z.object({
  server: text,
  'certificate-authority': text,
  'certificate-authority-data': text,
  'insecure-skip-tls-verify': z.boolean().nullish(),
  'tls-server-name': text,
  'proxy-url': text,
  extensions: list(z.object({ name: z.string(), extension: z.unknown() })),
});
export const userEntry = z.object({
  'client-certificate': text,
  'client-certificate-data': text,
  'client-key': text,
  'client-key-data': text,
  token: text,
  tokenFile: text,
  username: text,
  password: text,
  as: text,
  'as-groups': list(z.string()),
  'auth-provider': z.object({ name: z.string(), config: z.record(z.string(), z.unknown()).nullish() }).nullish(),
  exec: execEntry.nullish(),
});
const contextEntry = z.object({ cluster: text, user: text });
export const kubeconfigShape = z.object({
  'current-context': text,
  clusters: list(z.object({ name: z.string(), cluster: clusterEntry })),
  users: list(z.object({ name: z.string(), user: userEntry })),
  contexts: list(z.object({ name: z.string(), context: contextEntry })),
});

export type ExecEntry = z.output<typeof execEntry>;
export type ClusterEntry = z.output<typeof clusterEntry>;
export type UserEntry = z.output<typeof userEntry>;
export type ContextEntry = z.output<typeof contextEntry>;
