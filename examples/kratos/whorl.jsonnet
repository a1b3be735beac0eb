// Selects what Kratos sends. The page puts the fields of `collect` into the login's `transient_payload`.
function(ctx) {
  user: ctx.identity.id,
  email: ctx.identity.traits.email,
  ip: ctx.session.devices[0].ip_address,
  user_agent: ctx.request_headers['User-Agent'][0],
  browser: if std.objectHas(ctx.flow, 'transient_payload') then ctx.flow.transient_payload else {},
}
