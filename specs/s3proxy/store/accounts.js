// Who may do what at the gateway, as spec.toml has it. The gateway listens on this machine only and is gone after the
// run: these are not secrets.

export const bucket = 'files';

/** Whom no policy binds: makes the bucket. */
export const owner = { access: 'benchfolio', secret: 'benchfolio-secret' };

/** Whom s3proxy signs its requests as: bound by the bucket's policy, as everybody else. */
export const reader = { access: 'reader', secret: 'reader-secret' };
