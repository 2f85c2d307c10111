/**
 * The bucket's policy: everybody may read and list, but for hidden files. Who may list learns by 404 that a file is
 * not there; others would get 403.
 * @param {string} bucket
 * @param {import('./files.js').File[]} files
 */
export function policyOf(bucket, files) {
  const everything = `arn:aws:s3:::${bucket}`;
  const hidden = files.filter((file) => file.hidden).map(({ key }) => `${everything}/${key}`);
  return {
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Principal: '*', Action: ['s3:ListBucket'], Resource: [everything] },
      { Effect: 'Allow', Principal: '*', Action: ['s3:GetObject'], Resource: [`${everything}/*`] },
      { Effect: 'Deny', Principal: '*', Action: ['s3:GetObject'], Resource: hidden },
    ],
  };
}
