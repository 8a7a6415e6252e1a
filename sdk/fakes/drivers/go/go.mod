module bestow.example/fakes

go 1.23

require bestow.example/bestow v0.0.0

replace bestow.example/bestow => ../../../go
