/** `upload.mjs FILE`: puts FILE into the bucket, by what a user of Node would take for it, and prints its URL. */
import OSS from 'ali-oss';

const env = /** @type {Record<string, string>} */ (process.env);
/** `sldEnable` is missing in its types. @type {OSS.Options & { sldEnable: boolean }} */
const options = {
  accessKeyId: env.ALIBABA_CLOUD_ACCESS_KEY_ID ?? '',
  accessKeySecret: env.ALIBABA_CLOUD_ACCESS_KEY_SECRET ?? '',
  bucket: env.ACKONE_JOIN_BUCKET ?? '',
  region: `oss-${env.ACKONE_JOIN_REGION}`,
  endpoint: env.ACKONE_JOIN_OSS_ENDPOINT ?? '',
  sldEnable: true,
  authorizationV4: true,
};
const client = new OSS(options);
const { name } = await client.put('by-hand/join-ecs-nodes.sh', process.argv[2] ?? '');
process.stdout.write(`${env.ACKONE_JOIN_NODE_ENDPOINT}/${env.ACKONE_JOIN_BUCKET}/${name}\n`);
