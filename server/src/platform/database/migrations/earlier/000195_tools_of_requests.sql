-- Of a message to /mcp: the tool that was called, and the program that its client says it is. The status is that of the
-- tool's error, so that the log's filters find refused calls.
alter table request_log add column tool text, add column client text;
